import { type Static, Type as T } from '@sinclair/typebox'
import { exact } from '../../http/schema.ts'
import { TimeZone } from './time-zone.model.ts'

/** Default hours, days and limits of the calls that confirm orders. */
export const CONFIRMATION_DEFAULTS = {
  opensAt: '09:00',
  closesAt: '20:00',
  days: [0, 1, 2, 3, 4, 5, 6],
  mostAttempts: 6,
  leaseMinutes: 10,
} as const

const Clock = T.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: 'hours and minutes, such as 09:00; closing before opening means open over midnight',
})

/** Settings of the calls that confirm orders. */
export const ConfirmationSettings = exact(
  {
    opensAt: T.Optional({ ...Clock, default: CONFIRMATION_DEFAULTS.opensAt }),
    closesAt: T.Optional({ ...Clock, default: CONFIRMATION_DEFAULTS.closesAt }),
    days: T.Optional(
      T.Array(T.Integer({ minimum: 0, maximum: 6 }), {
        minItems: 1,
        maxItems: 7,
        description: 'days of the week, Sunday is 0; default: all',
      }),
    ),
    timeZone: T.Optional(TimeZone("time zone of the hours, such as Africa/Algiers; default: the store's")),
    mostAttempts: T.Optional(
      T.Integer({
        minimum: 1,
        maximum: 50,
        default: CONFIRMATION_DEFAULTS.mostAttempts,
        description: 'unanswered calls after which an order waits for another phone number',
      }),
    ),
    leaseMinutes: T.Optional(
      T.Integer({
        minimum: 1,
        maximum: 240,
        default: CONFIRMATION_DEFAULTS.leaseMinutes,
        description: 'minutes for which an order is reserved for the caller',
      }),
    ),
  },
  { description: 'hours and limits of the calls that confirm orders' },
)
/** Type of {@link ConfirmationSettings}. */
export type ConfirmationSettings = Static<typeof ConfirmationSettings>
