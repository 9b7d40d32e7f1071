import { dayFormat } from '../../lib/day-format.ts'
import { zoneOfCountry } from '../../platform/geo/catalogue/zones.ts'
import type { Store } from './stores.model.ts'

/** Returns the time zone in which a store's days begin: that of its settings, or else of its country. */
export const timeZoneOf = ({ settings, countryCode }: Pick<Store, 'settings' | 'countryCode'>): string =>
  settings.timeZone ?? zoneOfCountry(countryCode)

/** Returns the present day in a store, such as 2026-01-31. */
export const todayInStore = (store: Pick<Store, 'settings' | 'countryCode'>, now = new Date()): string =>
  dayFormat('en-CA', timeZoneOf(store)).format(now)
