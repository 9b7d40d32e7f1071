import { model } from 'serai/model'
import { complete } from './complete.ts'
import { type Context, credentials, label, settings } from './fields.ts'
import { models } from './models.ts'

async function testConnection(context: Context) {
  await models(context)
  return {}
}

/** Models of Google, by their own interface. */
export default model({
  slug: 'gemini',
  label,
  website: 'https://ai.google.dev',
  net: ['generativelanguage.googleapis.com'],
  credentials,
  settings,
  // What a key may ask depends on the model and its standing there: a guess.
  rateWindows: [{ calls: 60, seconds: 60 }],
  currency: 'USD',
  testConnection,
  models,
  complete,
})
