import { zoneOfCountry } from '../../platform/geo/zones.ts'
import type { Store } from './stores.model.ts'

/** The zone that the days of a store begin in: what it says, or else its country's. */
export const zoneOf = ({ settings, countryCode }: Pick<Store, 'settings' | 'countryCode'>): string =>
  settings.timeZone ?? zoneOfCountry(countryCode)
