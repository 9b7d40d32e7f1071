import { model } from 'serai/model'
import { complete } from './complete.ts'
import { type Context, credentials, label, settings } from './fields.ts'
import { models } from './models.ts'

async function testConnection(context: Context) {
  await models(context)
  return {}
}

/** Anthropic's models, through its own API. */
export default model({
  slug: 'anthropic',
  label,
  website: 'https://platform.claude.com',
  net: ['api.anthropic.com'],
  credentials,
  settings,
  // The quota depends on the account's tier: a guess.
  rateWindows: [{ calls: 50, seconds: 60 }],
  currency: 'USD',
  testConnection,
  models,
  complete,
})
