import { type Static, Type as T } from '@sinclair/typebox'
import { PayoutDetail } from '../../../plugins/carrier/segments.model.ts'
import { fileForm } from '../../http/body/form.ts'
import { exact, Maybe, named, Text } from '../../http/schema.ts'

/** Which heading of the sheet stands over what. */
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
export type SheetColumnsInput = Static<typeof SheetColumnsInput>

const { lines: _lines, missing: _missing, ...head } = PayoutDetail.properties

/** A payout that was made of a sheet, without its lines, and which column was taken for what. */
export const ImportedPayout = named('ImportedPayout', T.Object({ ...head, columns: T.Object(SheetColumnsInput.properties) }))

export const importForm = fileForm('CSV or XLSX, up to 5 MB and 20,000 parcels', {
  columns: {
    type: 'string',
    description:
      'JSON: which heading stands over what, as {"tracking":"…","amount":"…"}; tracking, reference, amount, fee, net. Remembered for the carrier.',
  },
  at: { type: 'string', format: 'date-time', description: 'when the payout was made; now, if left out' },
})
