import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of parcels: the code of each, and the sentence that a caller reads. */
export const parcelErrors = defineErrors({
  changeTimedOut: ['outcome_unknown', 'The change took so long that another change may have reached the carrier. Check the parcel there.'],
  changeUnderWay: ['conflict', 'Another change of this parcel is with the carrier. Try again in a moment.'],
  cancelledButMoving: [
    'invalid_transition',
    ({ status }: Values<'status'>) => `The carrier accepted the cancellation, but reports the parcel as ${status}. Contact the carrier.`,
  ],
  submissionUnderWay: [
    'outcome_unknown',
    'The parcel is being submitted to its carrier, and the outcome is not known yet. Try again in a minute.',
  ],
  notCancellable: ['invalid_transition', ({ status }: Values<'status'>) => `The parcel is ${status}; it cannot be cancelled.`],
  cancellationUnsupported: [
    'invalid_transition',
    ({ status, label }: Values<'status' | 'label'>) =>
      `The parcel is ${status}; ${label} cannot cancel through its API. Contact the carrier.`,
  ],
  cancellationTooLate: [
    'invalid_transition',
    ({ status, label, cancellable }: Values<'status' | 'label' | 'cancellable'>) =>
      `The parcel is ${status}; ${label} cancels only parcels that are ${cancellable}. Contact the carrier.`,
  ],
  parcelNotDeletable: [
    'invalid_transition',
    ({ status }: Values<'status'>) => `The parcel is ${status}; only one that is created or cancelled can be deleted. Cancel it first.`,
  ],
  fieldsNotEditable: [
    'parcel_not_editable',
    ({ label, takes, refused }: Values<'label' | 'takes' | 'refused'>) =>
      `${label} can change only ${takes} of a submitted parcel, not ${refused}. Nothing was changed.`,
  ],
  parcelKeepsChanging: ['conflict', 'The parcel keeps changing. Read it again.'],
  referenceFixed: [
    'parcel_not_editable',
    ({ status }: Values<'status'>) => `The parcel is ${status}: its reference can change only while it is created.`,
  ],
  carrierFixed: ['invalid_request', 'The carrier can change only while the parcel is created. Cancel this parcel, and create another.'],
  parcelNotEditable: [
    'parcel_not_editable',
    ({ status, label }: Values<'status' | 'label'>) => `The parcel is ${status}; ${label} accepts no more changes. Contact the carrier.`,
  ],
  trackingsInvalid: [
    'invalid_request',
    ({ namedMax }: Values<'namedMax'>) => `Send 1 to ${namedMax} tracking numbers, separated by commas.`,
  ],
  notStartedInTime: ['unavailable', 'It was not started in time. Request it again, with fewer parcels at once.'],
  requiredToSubmit: ['invalid_request', 'Required to submit.'],
  referenceTaken: [
    'conflict',
    ({ reference }: Values<'reference'>) => `The project has a parcel with the reference "${reference}" already. Choose another one.`,
  ],
  accountUnknown: ['invalid_request', 'The project has no such carrier account. See GET /v1/stores/{id}/integrations.'],
  carrierNotEnabled: [
    'carrier_not_enabled',
    ({ key }: Values<'key'>) => `The carrier ${key} is not enabled in this store. Enable it, or choose another.`,
  ],
  tooManyLookups: [
    'rate_limited',
    ({ lookupsMax, wait }: Values<'lookupsMax' | 'wait'>) =>
      `A store may look up at most ${lookupsMax} recipients per hour. Wait ${wait} s.`,
  ],
  carrierChanged: ['conflict', 'The carrier of the parcel was changed or removed before it was sent. Read it, and submit it again.'],
  parcelCancelled: ['invalid_transition', 'The parcel was cancelled while it was being sent. Create another to send the goods.'],
  trackingMissing: ['invalid_request', 'Required when the carrier has the parcel: the number that it gave the parcel.'],
  parcelsOfStoreMoving: [
    'conflict',
    ({ parcels }: Values<'parcels'>) =>
      `${parcels} parcels of the store are on their way. It can be deleted when they have arrived or come back.`,
  ],
  parcelsOfCarrierMoving: [
    'conflict',
    ({ parcels, key }: Values<'parcels' | 'key'>) =>
      `${parcels} parcels are on their way with ${key}. Switch it off with enabled: false; it can be deleted when they have arrived.`,
  ],
  outcomeKnown: ['invalid_transition', 'The outcome of this parcel is known; there is nothing to decide.'],
  parcelSubmitting: ['outcome_unknown', 'The parcel is being submitted already. Wait for the outcome.'],
  parcelNotSubmittable: [
    'invalid_transition',
    ({ status }: Values<'status'>) => `The parcel is ${status}; only one that is created can be submitted.`,
  ],
  carrierMissing: ['invalid_request', 'Choose a carrier first: PATCH the parcel with its carrierAccountId.'],
})
