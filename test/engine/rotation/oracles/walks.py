"""Random numbers, returns, and bars: the same arithmetic as in `walks.ts`, so that both sides have the same bits."""


def lehmer(seed):
    """Numbers from 0 to 1."""
    state = seed % 2147483647 or 1
    while True:
        state = state * 48271 % 2147483647
        yield state / 2147483647


def factor_returns(names, sessions, seed):
    """Rows of returns that share a factor, each name with a movement of its own."""
    random = lehmer(seed)
    loads = [0.3 + next(random) for _ in range(names)]
    sizes = [0.005 + 0.02 * next(random) for _ in range(names)]
    rows = []
    for _ in range(sessions):
        factor = 0.02 * (next(random) - 0.5)
        rows.append([loads[i] * factor + sizes[i] * (next(random) - 0.5) for i in range(names)])
    return rows


def market(names, sessions, seed):
    """A member per name: its symbol, and its bars (session, open, close) with gaps, late listings, and delistings."""
    random = lehmer(seed)
    returns = factor_returns(names, 2 * sessions, seed + 1)
    members = []
    for i in range(names):
        first = 0 if i % 3 else int(next(random) * sessions / 3)
        last = sessions - 1 if i % 4 else sessions - 1 - int(next(random) * sessions / 3)
        holes = 0.04 if i % 5 == 1 else 0
        price = 20 + 80 * next(random)
        bars = []
        for t in range(sessions):
            opened = price * (1 + returns[2 * t][i] / 4)
            price = opened * (1 + returns[2 * t + 1][i])
            is_hole = next(random) < holes
            if first <= t <= last and not (is_hole and t < last):
                bars.append((t, opened, price))
        members.append({"symbol": "QAZW"[i % 4] + str(i), "bars": bars, "delisted": i % 4 == 0})
    return sorted(members, key=lambda member: member["symbol"])
