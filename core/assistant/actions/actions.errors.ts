import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of actions: the code of each, and the sentence that a caller reads. */
export const actionErrors = defineErrors({
  changedMeanwhile: ['conflict', 'It was changed while the model was at work. Nothing was written; ask again.'],
  voiceMissing: ['invalid_request', 'Name a voice: this model does not list its voices.'],
  voiceUnknown: ['invalid_request', ({ voices }: Values<'voices'>) => `This model has the voices ${voices}.`],
  notAPicture: ['invalid_request', 'This file is not a picture.'],
  pictureTooLarge: ['invalid_request', ({ pictureMax }: Values<'pictureMax'>) => `A picture to edit may have at most ${pictureMax} bytes.`],
  nothingReturned: ['adapter_refused', 'The model returned nothing. Rephrase the request.'],
  soundUnreadable: ['adapter_refused', 'The model returned a sound of an unknown type.'],
  otherAnswer: ['adapter_refused', ({ what }: Values<'what'>) => `The model answered ${what}. Rephrase the request.`],
  tooManyDownloads: ['unavailable', 'Too many catalogues are being downloaded. Try again in a minute.'],
  templateOrNames: ['invalid_request', 'Give either templateId or names.'],
  tooManyTokens: ['limit_reached', ({ message }: Values<'message'>) => `${message} Combine some of them.`],
  urlHasCredentials: ['invalid_request', 'Must be a URL without a user name and password.'],
  bodyWithoutPost: ['invalid_request', 'Only a POST has a body.'],
  hostNotAllowed: [
    'forbidden',
    ({ host, remedy }: Values<'host' | 'remedy'>) => `The host ${host} is not among those that pages of this store may call. ${remedy}`,
  ],
  proxyFailed: ['proxy_failed', ({ host, reason }: Values<'host' | 'reason'>) => `${host}: ${reason}.`],
  searcherUnknown: ['forbidden', 'Search as a signed-in person, or with an API key of a project.'],
})
