import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { createOnce } from '../../../http/idempotency.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id } from '../../../http/schema.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import { storeItemMacro } from '../../stores/authority.ts'
import { Comment, type Feedback, NewComment, NewFeedback, PublicFeedback } from './feedbacks.model.ts'
import { findFeedbackKey } from './feedbacks.queries.ts'
import { addComment, submitFeedback } from './submit-feedback.ts'

const describe = tagOperations('Feedbacks')
const presentPublic = ({ phone: _phone, email: _email, orderId: _orderId, ...feedback }: Feedback) => feedback

/** Routes by which customers submit feedback and the store comments on it. */
export const feedbackSubmission = (context: Context) =>
  new Elysia({ name: 'feedbacks', prefix: '/v1/feedbacks' })
    .use(context.authority)
    .macro(
      'feedback',
      storeItemMacro(context, 'feedback', (id) => findFeedbackKey(context.sql, id)),
    )
    .post(
      '',
      (creation) => {
        const { store, audience, address } = creation
        const network = audience === 'public' ? networkOf(address) : null
        return createOnce(context, creation, async (tx) => ({
          data: presentPublic(await submitFeedback(context, tx, store, creation.body, network)),
        }))
      },
      {
        storefront: ['agent', 'stores:write'],
        body: NewFeedback,
        response: { 201: Data(PublicFeedback) },
        detail: describe('Submit feedback on a store, a product or an order', 'feedback.create'),
      },
    )
    .post(
      '/:id/comments',
      (creation) => createOnce(context, creation, async (tx) => ({ data: await addComment(tx, creation.feedback, creation.body.text) })),
      {
        feedback: ['agent', 'stores:write'],
        params: T.Object({ id: Id }),
        body: NewComment,
        response: { 201: Data(Comment) },
        detail: describe("Comment on a feedback in the store's name", 'feedback.comment'),
      },
    )
