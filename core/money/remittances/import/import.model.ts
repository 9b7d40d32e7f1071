import { type Static, Type as T } from '@sinclair/typebox'
import { PayoutDetail, payoutStates } from '../../../../plugins/carrier/cash.model.ts'
import { fileForm } from '../../../http/body/form.ts'
import { exact, Maybe, Nullable, named, oneOf, Text } from '../../../http/schema.ts'

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

/** Result of the check of a sheet: its columns, its first rows, and the differences that its import would show. */
export const CheckedPayout = named(
  'CheckedPayout',
  T.Object({
    headings: T.Array(T.String(), { description: 'cells of the row that was taken for the headings, at most 60' }),
    rows: T.Array(T.Array(T.String()), { description: 'cells of the first three rows below the headings' }),
    columns: T.Object(SheetColumnsInput.properties, { description: 'the heading that was understood for each field' }),
    lines: T.Integer({ description: 'parcels that the sheet names; 0 if there is a problem' }),
    problem: Nullable(
      T.Object({
        code: T.String({ description: 'error code with which an import would be refused' }),
        message: T.String(),
        details: T.Array(T.Object({ path: T.String(), message: T.String() }), {
          description: 'missing columns, or up to twenty invalid rows',
        }),
      }),
      { description: 'why the sheet cannot be imported as it is' },
    ),
    payout: Nullable(T.Object({ amount: head.amount, totals: head.totals }), {
      description: 'the payout that an import would create; null if there is a problem',
    }),
    importedAs: Nullable(T.Object({ id: T.String(), state: oneOf(payoutStates) }), {
      description: 'payout that this file was imported as before',
    }),
  }),
)
/** Type of {@link CheckedPayout}. */
export type CheckedPayout = Static<typeof CheckedPayout>
