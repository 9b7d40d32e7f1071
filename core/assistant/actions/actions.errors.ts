import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of actions: the code of each, and the sentence that a caller reads. */
export const actionErrors = defineErrors({
  changedMeanwhile: ['conflict', 'It was changed while the model was at work. Nothing was written; ask again.'],
  voiceMissing: ['invalid_request', 'Name a voice: this model does not list its voices.'],
  voiceUnknown: ['invalid_request', ({ voices }: Values<'voices'>) => `This model has no such voice. Choose one of ${voices}.`],
  notAPicture: ['invalid_request', 'This file is not a picture. Choose one that is.'],
  pictureTooLarge: [
    'invalid_request',
    ({ pictureMax }: Values<'pictureMax'>) => `A picture to edit may have at most ${pictureMax} bytes. Make it smaller.`,
  ],
  nothingReturned: ['adapter_refused', 'The model returned nothing. Rephrase the request.'],
  soundUnreadable: ['adapter_refused', 'The model returned a sound of an unknown type. Try again, or choose another model.'],
  otherAnswer: ['adapter_refused', ({ what }: Values<'what'>) => `The model answered ${what}. Rephrase the request.`],
  tooManyDownloads: ['unavailable', 'Too many catalogues are being downloaded. Try again in a minute.'],
  templateOrNames: ['invalid_request', 'Give either templateId or names.'],
  componentsTooDeep: [
    'limit_reached',
    ({ depthMax }: Values<'depthMax'>) => `Components may nest ${depthMax} levels deep. Combine some of them.`,
  ],
  tooManyComponents: [
    'limit_reached',
    ({ componentsMax }: Values<'componentsMax'>) => `A template may have ${componentsMax} components. Combine some of them.`,
  ],
  urlHasCredentials: ['invalid_request', 'Must be a URL without a user name and password.'],
  bodyWithoutPost: ['invalid_request', 'Only a POST has a body. Leave it out.'],
  hostNotAllowed: [
    'forbidden',
    ({ host, storeId }: Values<'host' | 'storeId'>) =>
      `Pages of this store may not call the host ${host}. The owner lists hosts by PUT /v1/stores/${storeId}/proxy-hosts.`,
  ],
  proxyFailed: ['proxy_failed', ({ host, reason }: Values<'host' | 'reason'>) => `${host}: ${reason}.`],
  searcherUnknown: ['forbidden', 'Search as a signed-in person, or with an API key of a project.'],
})
