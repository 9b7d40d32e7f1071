import { dayFormat } from '../../lib/day-format.ts'
import { zoneOfCountry } from '../../platform/geo/catalogue/zones.ts'
import type { Store } from './stores.model.ts'

/** The zone that the days of a store begin in: what it says, or else its country's. */
export const zoneOf = ({ settings, countryCode }: Pick<Store, 'settings' | 'countryCode'>): string =>
  settings.timeZone ?? zoneOfCountry(countryCode)

/** The day that it is in a store, as 2026-01-31. */
export const todayIn = (store: Pick<Store, 'settings' | 'countryCode'>, now = new Date()): string =>
  dayFormat('en-CA', zoneOf(store)).format(now)
