import { AdapterError, type Drawing, type Drawn, model } from 'serai/model'
import { credentials, label, models, type Sandbox, settings } from './fields.ts'
import { lookUp } from './lost.ts'
import { pause } from './pause.ts'
import { picture } from './picture.ts'
import { complete, inputTokens } from './reply.ts'
import { sound } from './sound.ts'

async function draw(context: Sandbox, { prompt, size, count }: Drawing): Promise<Drawn> {
  if (prompt.startsWith('FAIL ')) throw new AdapterError('refused', `${label}: ${prompt.slice(5)}`, { code: 'fail' })
  if (prompt.startsWith('HANG ')) await pause(context)
  const images = Array.from({ length: count }, (_, at) => picture(`${at} ${prompt}`, size))
  return { generation: `gen-${crypto.randomUUID()}`, images, usage: { images: count } }
}

/** Model without an account or network calls. Equal requests get equal answers. */
export default model({
  slug: 'sandbox-model',
  label,
  net: [],
  credentials,
  settings,
  rateWindows: [],
  currency: 'USD',
  testConnection: () => ({ account: 'sandbox' }),
  models: () => [...models],
  complete,
  image: draw,
  editImage: (context, { prompt, images, ...drawing }) =>
    draw(context, { ...drawing, prompt: `${images.map(({ data }) => data.length).join(' ')} ${prompt}` }),
  speech: (_, { text, voice, speed = 1 }) => ({
    generation: `gen-${crypto.randomUUID()}`,
    sound: sound(text, voice, speed),
    usage: { characters: text.length },
  }),
  lookUp,
  estimate: (_, completion) => ({ inputTokens: inputTokens(completion) }),
})
