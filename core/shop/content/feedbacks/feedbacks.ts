import type { Context } from '../../../context.ts'
import { resourceRoutes } from '../../../http/resource/resource.ts'
import { contentAccess, storeOwnerOf } from '../content-access.ts'
import { Comments, FeedbackFields, PRIVATE_FIELDS } from './feedbacks.model.ts'

/** Routes of customer feedback. Members of the store read and moderate all of it; the public reads what is published. */
export const feedbacks = (context: Context) =>
  resourceRoutes(context, storeOwnerOf(context), {
    name: 'feedback',
    path: '/v1/feedbacks',
    table: 'feedbacks',
    prefix: 'fbk',
    verbs: ['list', 'read', 'replace', 'patch', 'remove'],
    fields: FeedbackFields,
    readOnlyFields: { comments: Comments },
    defaults: { status: 'pending' },
    filters: ['status', 'rating', 'productId'],
    sorts: ['rating', 'updatedAt'],
    search: 'text',
    access: { ...contentAccess, write: 'agent', remove: 'admin' },
    publicView: { to: 'anybody', where: { status: 'published' }, without: PRIVATE_FIELDS },
  })
