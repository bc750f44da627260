"""Tell whether parcels fit into a van; they may fill it completely."""


def fits(parcels: list[int], capacity: int) -> bool:
    load = 0
    for parcel in parcels:
        load += parcel
    return load < capacity
