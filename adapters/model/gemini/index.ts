import { model } from 'serai/model'
import { complete } from './complete.ts'
import { type Context, credentials, label, settings } from './fields.ts'
import { models } from './models.ts'

async function testConnection(context: Context) {
  await models(context)
  return {}
}

/** Google's models, through its own API. */
export default model({
  slug: 'gemini',
  label,
  website: 'https://ai.google.dev',
  net: ['generativelanguage.googleapis.com'],
  credentials,
  settings,
  // The quota depends on the model and the key's tier: a guess.
  rateWindows: [{ calls: 60, seconds: 60 }],
  currency: 'USD',
  testConnection,
  models,
  complete,
})
