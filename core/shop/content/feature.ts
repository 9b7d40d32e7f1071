import { feature } from '../../feature.ts'
import { type DataOf, eventOfStore } from '../../platform/webhooks/events.ts'
import { Feedback } from './feedbacks/feedbacks.model.ts'
import { personalFeedbacks } from './feedbacks/feedbacks.queries.ts'
import { feedbackSubmission } from './feedbacks/feedbacks.routes.ts'
import { feedbacks } from './feedbacks/feedbacks.ts'
import { imageGallery } from './image-generations/image-generations.routes.ts'
import { imageGenerations } from './image-generations/image-generations.ts'
import { publicPages } from './pages/pages.routes.ts'
import { pages } from './pages/pages.ts'
import { imagePromptTemplates, landingPageTemplates, templates } from './pages/templates.ts'

const events = {
  'feedback.created': eventOfStore('A visitor wrote a review; it stays hidden until the store publishes it', { feedback: Feedback }),
}

declare module '../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}

/** Content that a store shows besides products: templates, pages, generated images and customer feedback. */
export default feature('content', {
  routes: [
    templates,
    landingPageTemplates,
    imagePromptTemplates,
    imageGenerations,
    imageGallery,
    pages,
    publicPages,
    feedbacks,
    feedbackSubmission,
  ],
  events,
  personalData: [personalFeedbacks],
})
