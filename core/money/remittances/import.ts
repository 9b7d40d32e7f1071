import type { Static } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import type { Tx } from '../../data/sql.ts'
import { readBytes } from '../../http/body/body.ts'
import { requireFormType } from '../../http/body/form.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { decimal } from '../../lib/money/decimal.ts'
import type { ImportedPayout } from './import.model.ts'
import { remittanceKeyOf } from './pull-remittances.ts'
import { remittanceErrors } from './remittances.errors.ts'
import {
  findRemittance,
  findRemittanceByFile,
  findSheetColumns,
  insertFileRemittance,
  lockRemittance,
  type RemittanceHeading,
  replaceRemittanceLines,
  updateFileRemittance,
  upsertSheetColumns,
} from './remittances.queries.ts'
import { buildRemittanceDetail } from './remittances.ts'
import type { ParsedSheet } from './sheet/read-sheet.ts'
import { type ParsedUpload, readSheetInWorker } from './sheet/reader.ts'
import { FORM_MAX, type SheetUpload } from './upload.ts'

const IMPORTED = 'A payout that is imported'

/**
 * Reads the form of an upload and parses its sheet in a worker, with the carrier's saved columns. Throws `unsupported_media_type`,
 * `payload_too_large`, `invalid_request`, `sheet_unreadable`, `sheet_columns_unknown`, `unavailable`.
 */
export async function readUploadedSheet({ sql }: Context, { row, mounted }: CarrierConnection, request: Request): Promise<ParsedUpload> {
  const type = requireFormType(request)
  const bytes = await readBytes(request, FORM_MAX)
  const remembered = await findSheetColumns(sql, { projectId: row.projectId, connectionId: row.id })
  const options = { currency: mounted.carrier.currency, ...(remembered && { remembered }) }
  return readSheetInWorker({ bytes, type, options }, row.storeId)
}

/**
 * Creates a draft remittance from a sheet. The same file returns the existing remittance; new columns replace its lines unless it is
 * confirmed. Saves the columns for the connection. Throws `conflict` when it is confirmed and the new columns give other totals.
 */
export async function importRemittance(
  tx: Tx,
  connection: CarrierConnection,
  { hash, fileName, columns, at }: SheetUpload,
  { lines, columns: used }: ParsedSheet,
): Promise<{ payout: Static<typeof ImportedPayout>; isNew: boolean }> {
  const { projectId, id: connectionId } = connection.row
  if (columns) await upsertSheetColumns(tx, { projectId, connectionId }, columns as Record<string, string>)
  const heading: RemittanceHeading = {
    amount: lines.reduce((total, { amount, net }) => total + (amount ?? net ?? 0n), 0n),
    parcels: lines.length,
    paidAt: at,
  }
  const fresh = remittanceKeyOf(connection, newId('rem'))
  const isNew = await insertFileRemittance(tx, fresh, heading, { fileHash: hash, fileName })
  const key = isNew ? fresh : invariant(await findRemittanceByFile(tx, projectId, connectionId, hash), IMPORTED)
  const locked = invariant(await lockRemittance(tx, key), IMPORTED)
  if (isNew || (columns && locked.state !== 'confirmed')) {
    await updateFileRemittance(tx, key, heading)
    await replaceRemittanceLines(tx, key, lines)
  } else if (columns && !(locked.parcels === heading.parcels && decimal(locked.amount) === heading.amount))
    throw remittanceErrors.payoutConfirmed({ id: key.id })
  const {
    lines: _lines,
    missing: _missing,
    ...payout
  } = await buildRemittanceDetail(tx, invariant(await findRemittance(tx, key), IMPORTED), { limit: 0 })
  return { payout: { ...payout, columns: { ...used } }, isNew }
}
