import { type Static, Type as T } from '@sinclair/typebox'
import { exact } from '../../http/schema.ts'
import { TimeZone } from './time-zone.model.ts'

/** When a store's people call, and how often, unless the store says otherwise. */
export const CONFIRMATION = { opensAt: '09:00', closesAt: '20:00', days: [0, 1, 2, 3, 4, 5, 6], mostAttempts: 6, leaseMinutes: 10 } as const

const Clock = T.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: 'hours and minutes, as 09:00; one that closes before it opens is open over midnight',
})

export const ConfirmationSettings = exact(
  {
    opensAt: T.Optional({ ...Clock, default: CONFIRMATION.opensAt }),
    closesAt: T.Optional({ ...Clock, default: CONFIRMATION.closesAt }),
    days: T.Optional(
      T.Array(T.Integer({ minimum: 0, maximum: 6 }), {
        minItems: 1,
        maxItems: 7,
        description: 'of the week, from Sunday, 0; all of them, unless said',
      }),
    ),
    timeZone: T.Optional(TimeZone("of the hours, as Africa/Algiers; the store's, unless said")),
    mostAttempts: T.Optional(
      T.Integer({
        minimum: 1,
        maximum: 50,
        default: CONFIRMATION.mostAttempts,
        description: 'calls that nobody answered, after which an order waits for another number',
      }),
    ),
    leaseMinutes: T.Optional(
      T.Integer({
        minimum: 1,
        maximum: 240,
        default: CONFIRMATION.leaseMinutes,
        description: 'how long an order is with the one who calls',
      }),
    ),
  },
  { description: 'when orders that nobody answered for are called again' },
)
export type ConfirmationSettings = Static<typeof ConfirmationSettings>
