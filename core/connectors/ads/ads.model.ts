import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { exact, Id, Maybe, named, oneOf, Text, WebPage } from '../../http/schema.ts'

export type { AdLink } from '../../../plugins/ads/settings.model.ts'
export type { Grouping } from '../../../plugins/ads/summary.model.ts'

/** Largest number of orders in one run of pixel rules. */
const RULE_ORDERS_MAX = 100
/** Request to run the pixel rules of a store for orders. */
export const RulesRunRequest = named(
  'PixelRulesRun',
  exact({ storeId: Maybe(Id), orderIds: T.Array(Id, { minItems: 1, maxItems: RULE_ORDERS_MAX, uniqueItems: true }) }),
)
/** Result of a run: for each order the events that its rules call for, and their state. */
export const RulesRunResult = named(
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
            state: oneOf(['waiting', 'known', 'late']),
          }),
        ),
      }),
    ),
  }),
)
/** Type of {@link RulesRunResult}. */
export type RulesRunResult = Static<typeof RulesRunResult>

/** Path parameters with the name of an advertising platform. */
export const ProviderParams = T.Object({ provider: T.String({ minLength: 1, maxLength: 60 }) })
/** Query parameters that start a sign-in. */
export const AdsSignInQuery = T.Object({
  storeId: Maybe(Id),
  mobile: T.Optional(t.Boolean({ description: 'whether an app waits for its own result page' })),
  returnTo: Maybe(WebPage('the page that the browser is sent to instead')),
})
/** Query parameters that select pixels. */
export const PixelListQuery = T.Object({ storeId: Maybe(Id), accountId: Maybe(Text(100, 1)) })
/** Query parameters of the result page. Platforms add parameters of their own. */
export const SignInResultQuery = T.Object(
  { outcome: Maybe(oneOf(['connected', 'denied', 'failed'])), integration: Maybe(Text(60)), connection: Maybe(Text(64)) },
  { additionalProperties: true },
)
