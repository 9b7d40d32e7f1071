import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of packing and handing over: the code of each, and the sentence that a caller reads. */
export const packingErrors = defineErrors({
  manifestClosed: ['invalid_transition', 'The manifest is closed and no longer changes. Begin another one.'],
  manifestEmpty: ['invalid_transition', 'The manifest has no parcel that can leave. Scan some, or delete it.'],
  connectionUnknown: ['invalid_request', 'The store has no such carrier connection. See GET /v1/stores/{id}/integrations.'],
  tooManyOpenManifests: [
    'limit_reached',
    ({ manifestsMax }: Values<'manifestsMax'>) => `${manifestsMax} manifests of the store are open. Close or delete one first.`,
  ],
})
