import { ask, completeChat, drawPictures, isRow, model, problemOf, speakText, text } from 'serai/model'
import { type Context, credentials, label, serverOf, settings } from './fields.ts'
import { lookUp } from './look-up.ts'
import { models } from './models.ts'

async function testConnection(context: Context) {
  const { root, headers } = serverOf(context)
  const answer = await ask(context, label, `${root}/key`, { headers })
  if (!answer.ok) throw problemOf(context, label, answer)
  const key = isRow(answer.value) && isRow(answer.value.data) ? text(answer.value.data.label) : undefined
  return key === undefined ? {} : { account: key.slice(0, 100) }
}

/** OpenRouter: models of many providers with one key. */
export default model({
  slug: 'openrouter',
  label,
  website: 'https://openrouter.ai',
  net: ['openrouter.ai'],
  credentials,
  settings,
  // The quota depends on the key's credit: a guess.
  rateWindows: [{ calls: 500, seconds: 60 }],
  currency: 'USD',
  testConnection,
  models,
  complete: (context, completion) => completeChat(context, serverOf(context), completion, { besides: { usage: { include: true } } }),
  image: (context, drawing) => drawPictures(context, serverOf(context), drawing, '/images'),
  speech: (context, speaking) => speakText(context, serverOf(context), speaking),
  lookUp,
})
