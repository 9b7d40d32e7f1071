import { type ExternalOrder, money, number, present, printed, text, typed, word } from 'serai/connector'

/** What of an order is read. Nothing in it is sure. */
export interface Said {
  readonly id: string | undefined
  readonly name: unknown
  readonly isCancelled: boolean
  readonly fulfilment: unknown
  readonly words: unknown
  readonly currency: unknown
  readonly total: unknown
  readonly delivery: unknown
  /** Whoever is named first counts. */
  readonly names: readonly unknown[]
  readonly phones: readonly unknown[]
  readonly email: unknown
  readonly country: unknown
  readonly state: unknown
  readonly city: unknown
  readonly street: readonly unknown[]
  /** What forms asked besides: shops that take cash often ask for the phone there. */
  readonly answers: readonly { readonly name: unknown; readonly value: unknown }[]
  readonly items: readonly {
    readonly sku: unknown
    readonly name: unknown
    readonly variant: unknown
    readonly quantity: unknown
    readonly price: unknown
  }[]
  readonly note: unknown
  readonly createdAt: string | undefined
  readonly updatedAt: string | undefined
}

const PHONE = /phone|t[eé]l|mobile|هاتف|جوال/i
/** No order has more lines here. */
export const ITEMS_MAX = 200
const ONLY_VERSION = 'Default Title'

/** Undefined where it cannot be read. */
export function orderOf(said: Said): ExternalOrder | undefined {
  const [currency, total] = [text(said.currency), money(said.total)]
  const items = said.items.map(itemOf)
  if (said.id === undefined || total === undefined || said.updatedAt === undefined || !/^[A-Z]{3}$/.test(currency ?? '')) return undefined
  if (items.length === 0 || items.length > ITEMS_MAX || items.includes(undefined)) return undefined
  const phones = [...said.phones, ...said.answers.filter(({ name }) => PHONE.test(String(name))).map(({ value }) => value)]
  const [phone, phoneAlt] = [...new Set(phones.map((each) => typed(each, 60)).filter(Boolean))]
  return {
    externalId: said.id,
    number: printed(said.name, 100) ?? `#${said.id}`,
    status: said.isCancelled ? 'cancelled' : text(said.fulfilment)?.toLowerCase() === 'fulfilled' ? 'fulfilled' : 'open',
    currency: currency ?? '',
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
    items: items.filter((item) => item !== undefined),
    total,
    delivery: money(said.delivery) ?? '0',
    ...present({
      statusWords: printed(text(said.words)?.toLowerCase(), 100),
      note: typed(said.note, 2000) || undefined,
      createdAt: said.createdAt,
    }),
    updatedAt: said.updatedAt,
  }
}

function itemOf({ sku, name, variant, quantity, price }: Said['items'][number]) {
  const [called, pieces, unitPrice] = [printed(name, 500), number(quantity), money(price)]
  if (called === undefined || unitPrice === undefined || pieces === undefined) return undefined
  if (!Number.isInteger(pieces) || pieces < 1 || pieces > 100_000) return undefined
  const version = variant === ONLY_VERSION ? undefined : printed(variant, 300)
  return { name: called, quantity: pieces, unitPrice, ...present({ sku: printed(sku, 80), variant: version }) }
}
