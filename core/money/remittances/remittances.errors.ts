import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of remittances: the code of each, and the sentence that a caller reads. */
export const remittanceErrors = defineErrors({
  payoutNotConfirmed: ['invalid_transition', 'The payout is not confirmed, so there is nothing to reverse. Confirm it when it arrives.'],
  laterPayoutsDepend: [
    'conflict',
    ({ dependents }: Values<'dependents'>) =>
      `Later payouts took back what this one paid, or paid again what it took back: ${dependents}. Reverse them first.`,
  ],
  payoutConfirmed: [
    'conflict',
    ({ id }: Values<'id'>) => `This sheet is payout ${id}, which is confirmed. Reverse it before you import it with other columns.`,
  ],
  carrierNotConnected: ['carrier_not_enabled', ({ key }: Values<'key'>) => `The store is not connected to ${key}. Connect it first.`],
  columnsUnknown: [
    'sheet_columns_unknown',
    'The columns of the sheet could not be identified; see details. Send their headings in columns, as {"tracking": "its heading", "amount": "its heading"}.',
  ],
  columnsInvalid: [
    'invalid_request',
    'Must be JSON with a heading of its own for each field: {"tracking":"…","amount":"…"}; also reference, fee, net.',
  ],
  dateInvalid: ['invalid_request', 'Must be a date, such as 2026-01-31T12:00:00Z.'],
})
