import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of landing: the code of each, and the sentence that a caller reads. */
export const landingErrors = defineErrors({
  changedMeanwhile: ['conflict', 'It was changed while the model was at work. Nothing was written; ask again.'],
  templateWithoutSections: ['conflict', 'This template was not made of sections: change it by its own route.'],
  pageWithoutSections: ['conflict', 'This page was not made of sections: change it by its own route.'],
  pageEditedByHand: ['conflict', 'This page was changed by hand: its sections are no longer known.'],
  tooManyPagesUnderWay: [
    'limit_reached',
    ({ openMax }: Values<'openMax'>) => `${openMax} pages of the store are being generated. Wait until one is finished.`,
  ],
  noPictureReturned: ['adapter_refused', 'The model returned no picture. Rephrase the request.'],
})
