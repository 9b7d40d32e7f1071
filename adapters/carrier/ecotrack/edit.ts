import { CarrierError, type Change, foldName, isRow, number, type Row, unreadable, wholeDinars } from 'serai/carrier'
import { call } from './api.ts'
import type { Account } from './fields.ts'
import { rowOf } from './orders.ts'
import { placeOf, recipientOf, wordsOf } from './shipment.ts'

/** Fields that `update/order` names differently from `create/order`. */
const renamed: Readonly<Record<string, string>> = {
  nom_client: 'client',
  telephone: 'tel',
  telephone_2: 'tel2',
  code_wilaya: 'wilaya',
  produit: 'product',
}

/** Columns of an order's row that show an edited field. */
const columns: Readonly<Record<string, string>> = {
  reference: 'reference',
  client: 'client',
  tel: 'phone',
  tel2: 'phone_2',
  adresse: 'adresse',
  commune: 'commune',
  wilaya: 'wilaya_id',
  montant: 'montant',
  type: 'type_id',
}

/** Edits a draft, the only state that allows it. Some companies require every field; some silently ignore a late edit. */
export async function edit(account: Account, trackingId: string, change: Change): Promise<void> {
  const changed = await changedIn(account, change)
  if (Object.keys(changed).length === 0) return
  const before = await requiredFields(account, trackingId)
  const kept = Object.entries(columns).flatMap(([field, column]) => (before[column] == null ? [] : [[field, before[column]] as const]))
  const json = { ...Object.fromEntries(kept), ...changed }
  const answer = await call(account, 'update/order', { method: 'POST', query: { tracking: trackingId }, json })
  if (!isRow(answer)) throw unreadable(account.company.label, `nothing on the edit of ${trackingId}`)
  const visible = Object.keys(changed).filter((field) => columns[field] !== undefined && !isAlike(before[columns[field]], changed[field]))
  if (visible.length === 0) return
  const after = await requiredFields(account, trackingId)
  if (visible.some((field) => !isAlike(after[columns[field]!], before[columns[field]!]))) return
  throw new CarrierError('refused', `${account.company.label} left the order as it was: it takes no edits once an order is validated.`, {
    code: 'edit_ignored',
  })
}

async function changedIn(account: Account, { recipient, destination, codAmount, contents = '', notes }: Change): Promise<Row> {
  const row = {
    ...(recipient && recipientOf(recipient).row),
    ...(destination && (await placeOf(account, destination)).row),
    // A removed note is overwritten with an empty text; the product name may not be empty.
    ...(notes !== undefined && { remarque: '' }),
    ...wordsOf({ contents, notes: notes ?? '' }).row,
    ...(codAmount !== undefined && { montant: wholeDinars(codAmount, 'amount to collect') }),
  }
  return Object.fromEntries(Object.entries(row).map(([field, value]) => [renamed[field] ?? field, value]))
}

async function requiredFields(account: Account, trackingId: string): Promise<Row> {
  const row = await rowOf(account, trackingId)
  if (!row) throw new CarrierError('not_found', `${account.company.label} lists no order ${trackingId}.`)
  return row
}

/** Compares values loosely: companies return `3400` as `"3400.00"` and names in capitals. */
function isAlike(left: unknown, right: unknown): boolean {
  const [a, b] = [number(left), number(right)]
  return a !== undefined && b !== undefined ? a === b : foldName(String(left ?? '')) === foldName(String(right ?? ''))
}
