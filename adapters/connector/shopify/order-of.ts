import {
  currencyOf,
  type ExternalOrder,
  type Line,
  linesOf,
  money,
  present,
  printed,
  type Row,
  required,
  type ShopStatus,
  text,
  totalOf,
  typed,
  word,
} from 'serai/connector'

/** Fields of an order. Their content is not validated. */
export interface Said {
  readonly id: string | undefined
  readonly name: unknown
  readonly isCancelled: boolean
  readonly fulfilment: unknown
  readonly words: unknown
  readonly currency: unknown
  readonly total: unknown
  readonly delivery: unknown
  /** Names in order of preference; the first one present is used. */
  readonly names: readonly unknown[]
  readonly phones: readonly unknown[]
  readonly email: unknown
  readonly country: unknown
  readonly state: unknown
  readonly city: unknown
  readonly street: readonly unknown[]
  /** Answers of custom form fields: cash-on-delivery shops often ask for the phone there. */
  readonly answers: readonly { readonly name: unknown; readonly value: unknown }[]
  readonly items: readonly Line[]
  readonly note: unknown
  readonly createdAt: string | undefined
  readonly updatedAt: string | undefined
}

const PHONE = /phone|t[eé]l|mobile|هاتف|جوال/i
const ONLY_VERSION = 'Default Title'

export const statusOf = ({ isCancelled, fulfilment }: Pick<Said, 'isCancelled' | 'fulfilment'>): ShopStatus =>
  isCancelled ? 'cancelled' : text(fulfilment)?.toLowerCase() === 'fulfilled' ? 'fulfilled' : 'open'

/** Presents an order; throws `OrderProblem`. */
export function orderOf(said: Said): ExternalOrder {
  const externalId = required(said.id, 'It has no id.')
  const phones = [...said.phones, ...said.answers.filter(({ name }) => PHONE.test(String(name))).map(({ value }) => value)]
  const [phone, phoneAlt] = [...new Set(phones.map((each) => typed(each, 60)).filter(Boolean))]
  return {
    externalId,
    number: printed(said.name, 100) ?? `#${externalId}`,
    status: statusOf(said),
    currency: currencyOf(said.currency),
    customer: {
      name: said.names.map((each) => typed(each, 200).trim()).find(Boolean) ?? '',
      ...present({ phone, phoneAlt, email: typed(said.email, 254) || undefined }),
    },
    address: {
      state: typed(said.state, 120),
      city: typed(said.city, 120),
      address: typed(
        said.street
          .map((part) => word(part))
          .filter(Boolean)
          .join(', '),
        500,
      ),
      ...present({ country: /^[A-Z]{2}$/.test(String(said.country)) ? String(said.country) : undefined }),
    },
    items: linesOf(said.items, lineOf),
    total: totalOf(said.total),
    delivery: money(said.delivery) ?? '0',
    ...present({
      statusWords: printed(text(said.words)?.toLowerCase(), 100),
      note: typed(said.note, 2000) || undefined,
      createdAt: said.createdAt,
    }),
    updatedAt: required(said.updatedAt, 'It has no time of change. Save it once more in the shop.'),
  }
}

/** Shopify writes "Default Title" for a product with a single variant. */
const lineOf = ({ variant, ...line }: Row): Line => ({
  ...(line as unknown as Line),
  variant: variant === ONLY_VERSION ? undefined : variant,
})
