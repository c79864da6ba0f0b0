"""Audio that carries its own words: silence for the ear, text for the program."""

import io
import wave

_FRAME_BYTES = 320
"""Ten milliseconds, as the pipeline cuts a stream."""
_MARK = b"note"


def to_stream(text: str) -> bytes:
    """Return "audio" for the speech-to-text engine."""
    data = text.encode()
    return data + b"\0" * (-len(data) % _FRAME_BYTES)


def from_stream(data: bytes) -> str:
    """Return the words of such a stream."""
    return data.rstrip(b"\0").decode()


def to_wav(text: str) -> bytes:
    """Return a wave file of half a second of silence, with the words in a chunk of its own."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16000)
        file.writeframes(b"\0\0" * 8000)
    words = text.encode()
    chunk = _MARK + len(words).to_bytes(4, "little") + words + b"\0" * (len(words) % 2)
    file_data = buffer.getvalue() + chunk
    return file_data[:4] + (len(file_data) - 8).to_bytes(4, "little") + file_data[8:]


def from_wav(data: bytes) -> str:
    """Return the words of such a file; empty when it has none."""
    position = 12
    while position + 8 <= len(data):
        mark = data[position : position + 4]
        size = int.from_bytes(data[position + 4 : position + 8], "little")
        if mark == _MARK:
            return data[position + 8 : position + 8 + size].decode()
        position += 8 + size + size % 2
    return ""
