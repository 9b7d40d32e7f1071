import { CONFIRMATION_DEFAULTS } from '../../shop/stores/confirmation.model.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { timeZoneOf } from '../../shop/stores/time-zone.ts'

const STEP_MS = 15 * 60_000
/** Search limit of eight days, which covers every weekly schedule. */
const STEPS_MAX = (8 * 24 * 60 * 60_000) / STEP_MS

/** Returns the settings of a store for its calls, with the defaults for what it left open. */
export const confirmationSettingsOf = ({ settings }: Pick<Store, 'settings'>) => ({ ...CONFIRMATION_DEFAULTS, ...settings.confirmation })

/** Returns the time zone of a store's calling hours. */
export const callingZoneOf = (store: Pick<Store, 'settings' | 'countryCode'>): string =>
  store.settings.confirmation?.timeZone ?? timeZoneOf(store)

/** Returns the first time from `at` on at which the store calls customers, in steps of 15 minutes. */
export function nextCallingTime(store: Pick<Store, 'settings' | 'countryCode'>, at: Date): Date {
  const { days, opensAt, closesAt } = confirmationSettingsOf(store)
  const clock = clockIn(callingZoneOf(store))
  const isOpen = (moment: Date) => {
    const { day, time } = clock(moment)
    const isInHours = opensAt < closesAt ? time >= opensAt && time < closesAt : time >= opensAt || time < closesAt
    return isInHours && (days as readonly number[]).includes(day)
  }
  if (isOpen(at)) return at
  const first = Math.ceil(at.getTime() / STEP_MS)
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const moment = new Date((first + step) * STEP_MS)
    if (isOpen(moment)) return moment
  }
  return at
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Returns a function that gives the weekday (0 is Sunday) and the time of day in the time zone. */
function clockIn(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return (at: Date) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
    return { day: WEEKDAYS.indexOf(parts.get('weekday') ?? ''), time: `${parts.get('hour')}:${parts.get('minute')}` }
  }
}
