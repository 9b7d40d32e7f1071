import type { Static } from '@sinclair/typebox'
import type { SendPart } from '../../../plugins/carrier/segments.model.ts'
import type { Tx } from '../../data/sql.ts'
import { findProject } from '../../identity/tenants/projects.queries.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { type Decimal, decimalText } from '../../lib/money/decimal.ts'
import { insertNewParcel } from '../../logistics/parcels/create.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import type { LockedOrder } from '../change/lock-order.ts'
import { orderErrors } from '../orders.errors.ts'
import { type OrderRow, updateOrder } from '../orders.queries.ts'
import { weightOfQuantities } from '../pricing/weight.queries.ts'
import { type NewPart, splitOffPart } from '../split/divide.ts'
import { type DividedOrder, type OrderPart, pickLines, type Quantities, readDividedOrder, remainingOf } from '../split/divided-order.ts'
import { openStatuses } from '../statuses.ts'
import { codAmountOfNewPart } from './collected-amounts.ts'
import {
  assertCodAmount,
  newParcelValues,
  overridesOf,
  requestedCodAmount,
  reuseParcel,
  type SendChoice,
  sendingColumns,
} from './new-parcel.ts'
import { partParcelValues } from './sync-parcel.ts'

/** Options of a sending that may contain some of the items only. */
export type PartChoice = Static<typeof SendPart>

/** Maximum number of parts, because every read of an order reads all of its parts. */
const PARTS_MAX = 50

/** Returns true when the order is divided already, or the request sends only some of its items. */
export const isPartialSending = ({ isDivided, items }: Pick<OrderRow, 'isDivided' | 'items'>, choice: PartChoice): boolean =>
  isDivided || (choice.items !== undefined && !isSame(quantitiesOf(items, choice.items), allQuantities(items)))

const allQuantities = (lines: readonly { readonly quantity: number }[]): Quantities =>
  lines.map(({ quantity }, at) => ({ line: at + 1, quantity }))

const isSame = (some: Quantities, others: Quantities): boolean => quantitiesKey(some) === quantitiesKey(others)

/** Key of quantities; the same quantities have the same key. */
const quantitiesKey = (quantities: Quantities): string => quantities.map(({ line, quantity }) => `${line - 1}x${quantity}`).join(',')

/** Requested quantities, sorted by line. Throws `invalid_request` for an unknown or repeated line. */
function quantitiesOf(lines: readonly object[], items: NonNullable<PartChoice['items']>): Quantities {
  const asked = new Map<number, number>()
  for (const [at, { item, quantity }] of items.entries()) {
    if (item >= lines.length) throw orderErrors.lineUnknown({ lineCount: lines.length }, { field: ['items', at, 'item'] })
    if (asked.has(item)) throw orderErrors.lineRepeated({ field: ['items', at, 'item'] })
    asked.set(item, quantity)
  }
  return [...asked].map(([item, quantity]) => ({ line: item + 1, quantity })).sort((a, b) => a.line - b.line)
}

/** Throws `invalid_transition` when the status of the order does not allow sending. */
export function assertSendable({ status }: Pick<OrderRow, 'status'>) {
  if (openStatuses.includes(status)) return
  throw orderErrors.orderNotSendable({ status, openStatuses: openStatuses.join(', ') })
}

/**
 * Returns the parcel of a part of an order: the existing one or a new one. Throws `order_already_sent`, `invalid_transition`,
 * `invalid_request`, `limit_reached`.
 */
export async function preparePart(
  tx: Tx,
  { order, parcels }: LockedOrder,
  connection: CarrierConnection,
  { items, part: called, codAmount, ...options }: PartChoice,
): Promise<ParcelRow> {
  if (!order.isDivided && parcels.length > 0) throw orderErrors.sentAsOneParcel()
  const divided = await readDividedOrder(tx, connection.row, order, parcels)
  const asked = items && quantitiesOf(divided.lines, items)
  // Uses the form that the database stores, so that a name with a lone surrogate is found again.
  const name = called?.toWellFormed() ?? (asked ? sha256(quantitiesKey(asked)) : null)
  const quantities = asked ?? remainingOf(divided)
  const toCollect = requestedCodAmount(codAmount, connection)
  const there = findParcelByPartName(divided, name, asked)
  if (there) return reuseParcel(tx, there, connection, options, toCollect)
  if (parcels.length === 0) assertSendable(order)
  assertRemaining(divided, quantities)
  if (divided.parts.length >= PARTS_MAX) throw orderErrors.tooManyParts({ partsMax: PARTS_MAX })
  const newPart = {
    id: newId('prt'),
    name,
    codAmount: toCollect === null ? null : decimalText(toCollect),
    overrides: overridesOf(options),
    quantities,
  }
  return insertPartParcel(tx, divided, connection, newPart, options, toCollect)
}

/** Finds the parcel of the part with this name. Without a name, returns the newest parcel if nothing is left to send. */
function findParcelByPartName(divided: DividedOrder, name: string | null, asked: Quantities | undefined): ParcelRow | undefined {
  const { parts } = divided
  const isThere = ({ parcel }: OrderPart) => parcel !== undefined
  const part =
    name === null ? (remainingOf(divided).length === 0 ? parts.findLast(isThere) : undefined) : parts.find((one) => one.name === name)
  if (part && asked && !isSame(part.lines, asked)) throw orderErrors.partDiffers({ name: name ?? '' }, { field: ['part'] })
  return part?.parcel
}

function assertRemaining(divided: DividedOrder, quantities: Quantities) {
  const left = new Map(remainingOf(divided).map(({ line, quantity }) => [line, quantity]))
  if (left.size === 0) throw orderErrors.everythingSent()
  const lacking = quantities.filter(({ line, quantity }) => quantity > (left.get(line) ?? 0))
  if (lacking.length === 0) return
  const issues = lacking.map(({ line }) => ({
    field: ['items'],
    message: `${divided.lines[line - 1]?.name} (item ${line - 1}): ${left.get(line) ?? 0} are left to send.`,
  }))
  throw orderErrors.partTooLarge({ issues })
}

async function insertPartParcel(
  tx: Tx,
  divided: DividedOrder,
  connection: CarrierConnection,
  part: NewPart,
  options: SendChoice,
  asked: Decimal | null,
): Promise<ParcelRow> {
  const { order, lines } = divided
  const collects = codAmountOfNewPart(divided, part.quantities, asked)
  assertCodAmount(asked, collects)
  const [project, store, weightKg] = await Promise.all([
    findProject(tx, connection.row.projectId),
    findStore(tx, order.storeId),
    weightOfQuantities(tx, order, part.quantities),
  ])
  const { tenantId } = invariant(project, 'The project of a connection')
  const parcel = await insertNewParcel(tx, {
    ...partParcelValues(order, pickLines(lines, part.quantities), decimalText(collects)),
    ...newParcelValues(order, connection, { tenantId, weightKg }, options),
    // Only one courier collects the replaced goods: that of the first part.
    takesBack: divided.parts.some(({ parcel }) => parcel?.takesBack) ? null : order.takesBack,
    partId: part.id,
  })
  const change = await splitOffPart(tx, invariant(store, 'The store of a connection'), divided, part, parcel.id)
  await updateOrder(tx, order, { ...sendingColumns(order, parcel.id), ...change })
  return parcel
}
