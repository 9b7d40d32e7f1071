import type { Static } from '@sinclair/typebox'
import type { Context } from '../../../context.ts'
import { useCustomPlans } from '../../../data/keyset-page.ts'
import type { Tx } from '../../../data/sql.ts'
import { readBytes } from '../../../http/body/body.ts'
import { requireFormType } from '../../../http/body/form.ts'
import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import { newId } from '../../../lib/ids.ts'
import { invariant } from '../../../lib/invariant.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { remittanceKeyOf } from '../pull-remittances.ts'
import { remittanceErrors } from '../remittances.errors.ts'
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
} from '../remittances.queries.ts'
import { buildRemittanceDetail, recordPayoutChange } from '../remittances.ts'
import type { ParsedSheet } from '../sheet/read-sheet.ts'
import { type InspectedUpload, type ParsedUpload, type SheetJob, sheets } from '../sheet/reader.ts'
import type { ImportedPayout } from './import.model.ts'
import { FORM_MAX, type SheetUpload } from './upload.ts'

const IMPORTED = 'A payout that is imported'

/**
 * Reads the form of an upload and parses its sheet in a worker, with the carrier's saved columns. Throws `unsupported_media_type`,
 * `payload_too_large`, `invalid_request`, `sheet_unreadable`, `sheet_columns_unknown`, `unavailable`.
 */
export const readUploadedSheet = async (context: Context, connection: CarrierConnection, request: Request): Promise<ParsedUpload> =>
  sheets.read(await sheetJobOf(context, connection, request), connection.row.storeId)

/** Reads the form of an upload as {@link readUploadedSheet} does, and its sheet as far as possible: with unknown columns or invalid rows too. */
export const inspectUploadedSheet = async (context: Context, connection: CarrierConnection, request: Request): Promise<InspectedUpload> =>
  sheets.inspect(await sheetJobOf(context, connection, request), connection.row.storeId)

async function sheetJobOf({ sql }: Context, { row, mounted }: CarrierConnection, request: Request): Promise<SheetJob> {
  const type = requireFormType(request)
  const bytes = await readBytes(request, FORM_MAX)
  const remembered = await findSheetColumns(sql, { projectId: row.projectId, connectionId: row.id })
  return { bytes, type, options: { currency: mounted.carrier.currency, ...(remembered && { remembered }) } }
}

/**
 * Creates a draft remittance from a sheet. The same file returns the existing remittance; new columns replace its lines unless it is
 * confirmed. Saves the columns for the connection. A trial is rolled back by the caller. Throws `conflict` when it is confirmed and the new columns give other totals.
 */
export async function importRemittance(
  tx: Tx,
  connection: CarrierConnection,
  { hash, fileName, columns, at }: SheetUpload,
  { lines, columns: used }: ParsedSheet,
  { isTrial = false }: { readonly isTrial?: boolean } = {},
): Promise<{ payout: Static<typeof ImportedPayout>; isNew: boolean }> {
  const { projectId, id: connectionId } = connection.row
  await useCustomPlans(tx)
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
    await replaceRemittanceLines(tx, key, lines, { isTrial })
    const stored = invariant(await findRemittance(tx, key), IMPORTED)
    await recordPayoutChange(tx, stored, 'carrier_payout.imported', null)
  } else if (columns && !(locked.parcels === heading.parcels && decimal(locked.amount) === heading.amount))
    throw remittanceErrors.payoutConfirmed({ id: key.id })
  const {
    lines: _lines,
    missing: _missing,
    ...payout
  } = await buildRemittanceDetail(tx, invariant(await findRemittance(tx, key), IMPORTED), { limit: 0 })
  return { payout: { ...payout, columns: { ...used } }, isNew }
}
