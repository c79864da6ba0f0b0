"""The household: an owner, a second person with an account, rooms."""

from typing import Final

from .client import Client

ANNA: Final = "Anna"
LI_MING: Final = "Li Ming"
USERNAMES: Final = {ANNA: "anna", LI_MING: "liming"}
PASSWORD: Final = "memory-demo"  # noqa: S105  # of a home that lives for minutes, on loopback

ROOMS: Final = {"living_room": "客厅", "kitchen": "厨房", "bedroom": "卧室"}
"""Area id → how Li Ming calls it."""


async def move_in(anna: Client) -> None:
    """Create the owner's account, which makes the person too, and sign in."""
    made = await anna.post(
        "/api/onboarding/users",
        {
            "client_id": anna.client_id,
            "name": ANNA,
            "username": USERNAMES[ANNA],
            "password": PASSWORD,
            "language": "en",
        },
        signed=False,
    )
    await anna.sign_in_with_code(made["auth_code"])


async def add_person(anna: Client, name: str) -> None:
    """Create a second person with an account, as an owner does in the settings."""
    user = await anna.command(
        "config/auth/create", name=name, group_ids=["system-users"], local_only=False
    )
    user_id = user["user"]["id"]
    await anna.command(
        "config/auth_provider/homeassistant/create",
        user_id=user_id,
        username=USERNAMES[name],
        password=PASSWORD,
    )
    await anna.command("person/create", name=name, user_id=user_id, device_trackers=[])


async def furnish(anna: Client) -> None:
    """Put the lights into their rooms, and give both their Chinese names."""
    async with anna.socket() as socket:
        for area, name in ROOMS.items():
            await socket.command(
                "config/area_registry/update", area_id=area, aliases=[name]
            )
            await socket.command(
                "config/entity_registry/update",
                entity_id=f"light.{area}_light",
                area_id=area,
                aliases=[None, f"{name}灯"],
            )
