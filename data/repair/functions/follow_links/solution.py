"""Follow a chain of redirects to its end; None when that takes more than limit steps."""


def follow_links(links: dict[str, str], url: str, limit: int = 3) -> str | None:
    for _ in range(limit):
        if url not in links:
            return url
        url = links[url]
    return None if url in links else url
