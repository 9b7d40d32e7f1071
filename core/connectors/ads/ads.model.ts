import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { exact, Id, Maybe, named, oneOf, Text, WebPage } from '../../http/schema.ts'

export type { AdLink, Grouping } from '../../../plugins/ads/model.ts'

export const ORDERS_MAX = 100
export const RulesRun = named(
  'PixelRulesRun',
  exact({ storeId: Maybe(Id), orderIds: T.Array(Id, { minItems: 1, maxItems: ORDERS_MAX, uniqueItems: true }) }),
)
export const RanRules = named(
  'RanPixelRules',
  T.Object({
    orders: T.Array(
      T.Object({
        orderId: Id,
        events: T.Array(
          T.Object({
            integration: T.String(),
            pixelId: T.String(),
            event: T.String(),
            state: oneOf(['waiting', 'known', 'late'], {
              description: 'known: it was taken before, whatever became of it; late: the order came to its status too long ago',
            }),
          }),
        ),
      }),
    ),
  }),
)
/** Type of {@link RanRules}. */
export type RanRules = Static<typeof RanRules>

export const ByProvider = T.Object({ provider: T.String({ minLength: 1, maxLength: 60 }) })
export const Redirecting = T.Object({
  storeId: Maybe(Id),
  mobile: T.Optional(t.Boolean({ description: 'whether an app waits for its own result page' })),
  returnTo: Maybe(WebPage('the page that the browser goes on to instead')),
})
export const OfPixels = T.Object({ storeId: Maybe(Id), accountId: Maybe(Text(100, 1)) })
/** Platforms add whatever they like. */
export const Shown = T.Object(
  { outcome: Maybe(oneOf(['connected', 'denied', 'failed'])), integration: Maybe(Text(60)), connection: Maybe(Text(64)) },
  { additionalProperties: true },
)
