import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of carriers: the code of each, and the sentence that a caller reads. */
export const carrierErrors = defineErrors({
  settingsInvalid: [
    'invalid_integration_fields',
    ({ label }: Values<'label'>) => `These are not the settings of ${label}; see details, and GET /v1/adapters.`,
  ],
  dateInvalid: ['invalid_request', 'Must be an ISO 8601 date, such as 2026-11-21.'],
})
