import type { Static } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import type { Tx } from '../data/sql.ts'
import { ApiError } from '../http/errors.ts'
import type { Account } from '../integrations/call-carrier.ts'
import { decimal } from '../lib/decimal.ts'
import { newId } from '../lib/ids.ts'
import type { ImportedPayout } from './cash.model.ts'
import { detailOf } from './payouts.ts'
import { keyOf } from './pull.ts'
import {
  findRemittance,
  findRemittanceOfFile,
  findSheetColumns,
  type Heading,
  insertFile,
  keepSheetColumns,
  lockRemittance,
  replaceLines,
  updateFile,
} from './remittances.queries.ts'
import type { Sheet } from './sheet/read-sheet.ts'
import { readBeside } from './sheet/reader.ts'
import type { Upload } from './upload.ts'

/** Reads an uploaded sheet with what is known of this carrier's. Throws `sheet_unreadable`, `sheet_columns_unknown`, `unavailable`. */
export async function readUploaded({ sql }: Context, { row, mounted }: Account, { bytes, columns }: Upload): Promise<Sheet> {
  const remembered = await findSheetColumns(sql, row.id)
  return readBeside(bytes, { currency: mounted.carrier.currency, ...(columns && { given: columns }), ...(remembered && { remembered }) })
}

/**
 * Makes a draft payout of a sheet. The same file makes no second one; unless that is confirmed, columns that are said anew have it
 * read again. Throws `conflict` where it is, and they say something else.
 */
export async function importPayout(
  tx: Tx,
  account: Account,
  { hash, fileName, columns, at }: Upload,
  { lines, columns: used }: Sheet,
): Promise<{ payout: Static<typeof ImportedPayout>; isNew: boolean }> {
  const { projectId, id: connectionId } = account.row
  if (columns) await keepSheetColumns(tx, connectionId, columns as Record<string, string>)
  const heading: Heading = {
    amount: lines.reduce((total, { amount, net }) => total + (amount ?? net ?? 0n), 0n),
    parcels: lines.length,
    paidAt: at,
  }
  const fresh = keyOf(account, newId('rem'))
  const isNew = await insertFile(tx, fresh, heading, { fileHash: hash, fileName })
  const key = isNew ? fresh : (await findRemittanceOfFile(tx, projectId, connectionId, hash))!
  const held = await lockRemittance(tx, key)
  if (isNew || (columns && held?.state !== 'confirmed')) {
    await updateFile(tx, key, heading)
    await replaceLines(tx, key, lines)
  } else if (columns && !(held!.parcels === heading.parcels && decimal(held!.amount) === heading.amount))
    throw new ApiError('conflict', `This sheet is payout ${key.id}, which is confirmed. Reverse that to have it read with other columns.`)
  const { lines: _lines, missing: _missing, ...payout } = await detailOf(tx, (await findRemittance(tx, key))!, { limit: 0 })
  return { payout: { ...payout, columns: { ...used } }, isNew }
}
