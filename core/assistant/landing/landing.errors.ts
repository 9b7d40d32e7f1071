import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of landing: the code of each, and the sentence that a caller reads. */
export const landingErrors = defineErrors({
  templateWithoutSections: ['conflict', 'This template was not made of sections: change it by its own route.'],
  pageWithoutSections: ['conflict', 'This page was not made of sections: change it by its own route.'],
  pageEditedByHand: ['conflict', 'This page was changed by hand, so its sections are no longer known. Change it by its own route.'],
  tooManyPagesUnderWay: [
    'limit_reached',
    ({ openMax }: Values<'openMax'>) => `${openMax} pages of the store are being generated. Wait until one is finished.`,
  ],
  noPictureReturned: ['adapter_refused', 'The model returned no picture. Rephrase the request.'],
})
