"""The sessions and half days of the NYSE by exchange_calendars and pandas_market_calendars."""

import exchange_calendars
import pandas_market_calendars

from common import read, write


def of_exchange_calendars(start, end):
    calendar = exchange_calendars.get_calendar("XNYS", start=start, end=end)
    days = [str(day.date()) for day in calendar.sessions]
    early = [str(day.date()) for day in calendar.early_closes]
    return {"sessions": days, "early": early}


def of_pandas_market_calendars(start, end):
    calendar = pandas_market_calendars.get_calendar("NYSE")
    schedule = calendar.schedule(start_date=start, end_date=end)
    early = calendar.early_closes(schedule)
    return {
        "sessions": [str(day.date()) for day in schedule.index],
        "early": [str(day.date()) for day in early.index],
    }


request = read()
write(
    {
        "exchange-calendars": of_exchange_calendars(request["start"], request["end"]),
        "pandas-market-calendars": of_pandas_market_calendars(request["start"], request["end"]),
    }
)
