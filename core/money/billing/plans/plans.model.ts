import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Money, Nullable, named, oneOf, Text } from '../../../http/schema.ts'
import type { LimitedResource as CountedResource } from '../../../shop/stores/limited-resources.model.ts'

/** Code of the plan of every store without another one. */
export const FREE_PLAN = 'free'

/** Resource that a plan can limit by number. */
export type LimitedResource = CountedResource | 'ordersPerMonth'

const most = (description: string) => Maybe(Nullable(T.Integer({ minimum: 0, maximum: 1e9 }), { description }))

const counted = {
  products: most('maximum number of products'),
  members: most('maximum number of members, including the owner'),
  domains: most('maximum number of custom domains: 0 or 1'),
  ordersPerMonth: most('orders per period; more are accepted, and the owner gets an email'),
} satisfies Record<LimitedResource, unknown>

/** Pattern of model ids: `openrouter/maker/writer` is one model, `openrouter/*` are all of a source. */
const ModelPattern = T.String({ minLength: 1, maxLength: 300, pattern: '^[a-z][a-z0-9-]*/[^*]*\\*?$' })

/** Limits of a plan in the API format. */
export const PlanLimits = exact(
  {
    ...counted,
    models: Maybe(
      Nullable(T.Array(ModelPattern, { maxItems: 200 }), {
        description: "ids of the platform's models that its assistants may use; `source/*` includes all with that prefix",
      }),
    ),
  },
  { description: 'limits of a store; null or left out means unlimited' },
)
/** Type of {@link PlanLimits}. */
export type PlanLimits = Static<typeof PlanLimits>

/** Currency code (ISO 4217). */
export const Currency = T.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })
const Product = (where: string) => Maybe(Nullable(Text(150, 1), { description: `product id of a month in the ${where}` }))

/** Code of a plan, which cannot change. */
export const planCode = T.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,39}$', description: 'letters, digits and hyphens' })
/** Fields of a plan that platform administrators can write. */
export const PlanFields = T.Object({
  name: Text(80, 1),
  description: Maybe(Text(1000)),
  price: { ...Money, description: 'for a month, in the major unit of the currency' },
  currency: Currency,
  limits: Maybe(PlanLimits),
  extraOrderPrice: Maybe(Nullable(Money, { description: 'price of each order beyond the limit' })),
  trialDays: Maybe(T.Integer({ minimum: 0, maximum: 365, description: 'trial before the first payment, once per store' })),
  appStoreProduct: Product('App Store'),
  playStoreProduct: Product('Play Store'),
  available: Maybe(T.Boolean({ description: 'whether stores can choose it; defaults to false' })),
})

/** Plan as offered to a store. */
export const OfferedPlan = named(
  'OfferedPlan',
  T.Object({
    code: T.String(),
    name: T.String(),
    description: T.String(),
    price: Money,
    currency: T.String(),
    limits: PlanLimits,
    extraOrderPrice: Nullable(Money),
    trialDays: T.Integer({ description: '0 if the store has used its trial' }),
    appStoreProduct: Nullable(T.String()),
    playStoreProduct: Nullable(T.String()),
    change: oneOf(['current', 'now', 'at_period_end'], { description: 'when the plan would apply to the store' }),
  }),
)
/** Type of {@link OfferedPlan}. */
export type OfferedPlan = Static<typeof OfferedPlan>
