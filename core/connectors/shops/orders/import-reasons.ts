import { quoted } from '../../../../plugins/connector/read-order.ts'
import { describeField } from '../../../lib/errors/describe-error.ts'
import type { DomainError, FieldPath } from '../../../lib/errors/domain-error.ts'
import type { ExternalItem, ExternalOrder } from '../connectors.model.ts'
import { goodsKeyOf } from './match-goods.ts'

const MESSAGE_MAX = 500
const NAMED_MAX = 3
const AGAIN = 'The order is then imported by itself.'

/** Says that an order is in another currency than its store, and what to do. */
export const describeCurrency = (theirs: string, ours: string): string =>
  `The order is in ${theirs}, and the store sells in ${ours}. Set the shop's currency to ${ours}, or connect the shop to a store that sells in ${theirs}.`

/** Says that an order has no phone number, and what to do. */
export const describeMissingPhone = (): string => `The order has no phone number, which carriers need. Add one in the shop. ${AGAIN}`

/** Names the goods of an order that match no product, and says what to do. `missing`: their keys. */
export function describeMissingGoods(items: readonly ExternalItem[], missing: readonly string[]): string {
  const names = items
    .filter((item, at) => missing.includes(goodsKeyOf(item)) && at === items.findIndex((one) => goodsKeyOf(one) === goodsKeyOf(item)))
    .map(({ name, variant, sku }) => `${quoted(variant ? `${name} (${variant})` : name)}${sku === undefined ? '' : ` (SKU ${sku})`}`)
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : ''
  return `The store sells no product for ${names.slice(0, NAMED_MAX).join(', ')}${more}. Match it in the inbox, or add it to the catalogue.`
}

/** Describes why an order of a shop was refused: the place, the value that stands there, and what to do. */
export function describeRefusal(error: DomainError, order: ExternalOrder, country: string): string {
  const { code, issues } = error
  const messages = issues.map(({ message }) => message).join(' ')
  const describe = () => {
    if (code === 'invalid_phone') return issues.map(({ field }) => describePhone(field, order, country)).join(' ')
    if (code === 'reserved_stock_conflict') return `${messages} Add stock, or change the quantity in the shop.`
    if (code === 'invalid_request')
      return `${issues.map(({ field, message }) => `${labelOf(field)}: ${message}`).join(' ')} Correct it in the shop. ${AGAIN}`
    return error.message.includes(messages) ? error.message : `${error.message} ${messages}`
  }
  return (issues.length === 0 ? error.message : describe()).slice(0, MESSAGE_MAX).toWellFormed()
}

function describePhone(field: FieldPath, { customer }: ExternalOrder, country: string): string {
  const [label, typed] = field.at(-1) === 'phoneAlt' ? ['second phone number', customer.phoneAlt] : ['phone number', customer.phone]
  return `The ${label} is ${quoted(typed)}, which is no valid phone number of ${country.toUpperCase()}. Correct its digits in the shop, or begin it with + and the country code. ${AGAIN}`
}

/** Labels of the fields of an order, in a user's words. */
const labels: Readonly<Record<string, string>> = {
  'customer.name': 'Name of the customer',
  'customer.email': 'E-mail address',
  'destination.country': 'Country',
  'destination.stateCode': 'State',
  'destination.cityName': 'City',
  note: 'Note',
}

function labelOf(field: FieldPath): string {
  const [part, line] = field
  if (part === 'items' && typeof line === 'number') return `Line ${line + 1}`
  return labels[describeField(field)] ?? (part === 'destination' ? 'Address' : 'The order')
}
