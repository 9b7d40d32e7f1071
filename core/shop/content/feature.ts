import { feature } from '../../feature.ts'
import { feedbackWriting } from './feedbacks.routes.ts'
import { feedbacks } from './feedbacks.ts'
import { pageView } from './pages.routes.ts'
import { pages } from './pages.ts'
import { imagePromptTemplates, landingPageTemplates, templates } from './templates.ts'

/** What a store shows besides its goods: templates, pages, and what its customers say. */
export default feature('content', {
  routes: [templates, landingPageTemplates, imagePromptTemplates, pages, pageView, feedbacks, feedbackWriting],
})
