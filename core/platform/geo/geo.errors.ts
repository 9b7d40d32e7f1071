import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of geo: the code of each, and the sentence that a caller reads. */
export const geoErrors = defineErrors({
  catalogueOption: ['conflict', 'This comes with the catalogue that addresses are resolved by. Hide it instead: "enabled": false.'],
  stateUnknown: [
    'invalid_request',
    ({ unknownCode, allowed }: Values<'unknownCode' | 'allowed'>) => `"${unknownCode}" is the code of no state. ${allowed}`,
  ],
  stateCodeUnknown: [
    'invalid_request',
    ({ written }: Values<'written'>) =>
      `"${written}" is the code of no state. GET /v1/countries/{country}/states lists the states of a country.`,
  ],
  stateRepeated: ['invalid_request', ({ state }: Values<'state'>) => `The state ${state} is named twice. Name it once.`],
  bordersBeingRead: ['unavailable', 'The borders are being read. Try again in a few seconds.'],
  stateMissing: ['invalid_request', 'Borders of cities are available for one state at a time. Set state.'],
})
