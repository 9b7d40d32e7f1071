import { type Static, Type as T } from '@sinclair/typebox'
import { PayoutDetail } from '../../../plugins/carrier/cash.model.ts'
import { fileForm } from '../../http/body/form.ts'
import { exact, Maybe, named, Text } from '../../http/schema.ts'

/** Headings of the columns of a remittance sheet, by field. Requires at least one field. */
export const SheetColumnsInput = exact(
  {
    tracking: Maybe(Text(120, 1)),
    reference: Maybe(Text(120, 1)),
    amount: Maybe(Text(120, 1)),
    fee: Maybe(Text(120, 1)),
    net: Maybe(Text(120, 1)),
  },
  { minProperties: 1 },
)
/** Type of {@link SheetColumnsInput}. */
export type SheetColumnsInput = Static<typeof SheetColumnsInput>

const { lines: _lines, missing: _missing, ...head } = PayoutDetail.properties

/** Remittance created from an uploaded sheet, without its lines, with the heading that was used for each field. */
export const ImportedPayout = named('ImportedPayout', T.Object({ ...head, columns: T.Object(SheetColumnsInput.properties) }))

/** OpenAPI description of the multipart form that uploads a remittance sheet. */
export const remittanceImportForm = fileForm('CSV or XLSX, up to 5 MB and 20,000 parcels', {
  columns: {
    type: 'string',
    description:
      'JSON: the heading of each field, as {"tracking":"…","amount":"…"}; fields: tracking, reference, amount, fee, net. Saved for this carrier.',
  },
  at: { type: 'string', format: 'date-time', description: 'when the payout was made; defaults to now' },
})
