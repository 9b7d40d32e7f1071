import { completeChat, drawPictures, editPictures, model, speakText } from 'serai/model'
import { credentials, label, serverOf, settings } from './fields.ts'
import { models } from './models.ts'

/** OpenAI, and every server with a compatible API. */
export default model({
  slug: 'openai',
  label,
  website: 'https://platform.openai.com',
  net: ['api.openai.com'],
  credentials,
  settings,
  address: 'address',
  // The quota depends on the account's tier: a guess.
  rateWindows: [{ calls: 500, seconds: 60 }],
  currency: 'USD',
  async testConnection(context) {
    await models(context)
    return {}
  },
  models,
  complete: (context, completion) =>
    completeChat(context, serverOf(context), completion, { limit: context.settings.limit as 'max_tokens' }),
  image: (context, drawing) => drawPictures(context, serverOf(context), drawing),
  editImage: (context, editing) => editPictures(context, serverOf(context), editing),
  speech: (context, speaking) => speakText(context, serverOf(context), speaking),
})
