import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Money, Nullable, named, oneOf, Text } from '../../../http/schema.ts'
import { type Growth, growths } from '../../../shop/stores/growing.model.ts'

/** Of every store that has no other. */
export const FREE = 'free'

export type Limited = Growth | 'ordersPerMonth'
export const limited: readonly Limited[] = [...growths, 'ordersPerMonth']

const most = (description: string) => Maybe(Nullable(T.Integer({ minimum: 0, maximum: 1e9 }), { description }))

const counted = {
  products: most('products at once'),
  members: most('people, its owner among them'),
  domains: most('domains of its own: 0 or 1'),
  ordersPerMonth: most('orders in a period; more are taken all the same, and its owner told'),
} satisfies Record<Limited, unknown>

/** `openrouter/maker/writer` is one model, `openrouter/*` are all of a source. */
const ModelPattern = T.String({ minLength: 1, maxLength: 300, pattern: '^[a-z][a-z0-9-]*/[^*]*\\*?$' })

export const Limits = exact(
  {
    ...counted,
    models: Maybe(
      Nullable(T.Array(ModelPattern, { maxItems: 200 }), {
        description: "which of the platform's models its assistants may use, by their ids; `source/*` for all that begin so",
      }),
    ),
  },
  { description: 'the most of each that a store may have; what is left out or null is not limited' },
)
export type Limits = Static<typeof Limits>

export const Currency = T.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })
const Product = (where: string) => Maybe(Nullable(Text(150, 1), { description: `what a month of it is called in the ${where}` }))

/** What administrators of the platform write of a plan; its code stays. */
export const planCode = T.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,39}$', description: 'letters, digits and hyphens' })
export const PlanFields = T.Object({
  name: Text(80, 1),
  description: Maybe(Text(1000)),
  price: { ...Money, description: 'for a month, in the major unit of the currency' },
  currency: Currency,
  limits: Maybe(Limits),
  extraOrderPrice: Maybe(Nullable(Money, { description: 'what each order beyond the limit costs' })),
  trialDays: Maybe(T.Integer({ minimum: 0, maximum: 365, description: 'before the first payment, once for a store' })),
  appStoreProduct: Product('App Store'),
  playStoreProduct: Product('Play Store'),
  available: Maybe(T.Boolean({ description: 'whether stores may choose it; off unless said' })),
})

/** A plan as a store is offered it. */
export const OfferedPlan = named(
  'OfferedPlan',
  T.Object({
    code: T.String(),
    name: T.String(),
    description: T.String(),
    price: Money,
    currency: T.String(),
    limits: Limits,
    extraOrderPrice: Nullable(Money),
    trialDays: T.Integer({ description: '0 also where the store had its trial' }),
    appStoreProduct: Nullable(T.String()),
    playStoreProduct: Nullable(T.String()),
    change: oneOf(['current', 'now', 'at_period_end'], { description: 'when it would be the plan of the store' }),
  }),
)
export type OfferedPlan = Static<typeof OfferedPlan>
