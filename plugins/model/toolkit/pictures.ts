import type { AdapterContext } from '../../adapter.ts'
import { ask, jsonIn, unreadable } from '../../toolkit/ask.ts'
import { base64Bytes, toBase64 } from '../../toolkit/proof.ts'
import { isRow, rows, text } from '../../toolkit/values.ts'
import type { Drawing, Drawn, Editing, Media, Speaking, Spoken } from '../model.ts'
import { type ChatServer, chatProblem, usageIn } from './chat-completions.ts'

const DRAWING_MS = 180_000
const sizes = { square: '1024x1024', portrait: '1024x1536', landscape: '1536x1024' } as const

const parametersOf = ({ model, prompt, size, count, transparent, person }: Drawing) => ({
  model,
  prompt,
  size: sizes[size],
  n: String(count),
  ...(transparent && { background: 'transparent' }),
  ...(person !== undefined && { user: person }),
})

/** Generates images, at `/images/generations` by default. */
export async function drawPictures(
  context: AdapterContext,
  server: ChatServer,
  drawing: Drawing,
  path = '/images/generations',
): Promise<Drawn> {
  const { label, root, headers } = server
  const json = { ...parametersOf(drawing), n: drawing.count }
  const answer = await ask(context, label, `${root}${path}`, { method: 'POST', headers, json, timeoutMs: DRAWING_MS })
  if (!answer.ok) throw chatProblem(context, label, answer)
  return picturesIn(label, answer.value)
}

/** Edits images, which are sent as files of a form. */
export async function editPictures(context: AdapterContext, { label, root, headers }: ChatServer, editing: Editing): Promise<Drawn> {
  const form = new FormData()
  for (const [name, value] of Object.entries(parametersOf(editing))) form.append(name, value)
  for (const image of editing.images) form.append('image[]', fileOf(image))
  if (editing.mask) form.append('mask', fileOf(editing.mask))
  const written = new Response(form)
  const response = await context.fetch(`${root}/images/edits`, {
    method: 'POST',
    headers: { ...headers, 'content-type': written.headers.get('content-type') ?? '' },
    body: new Uint8Array(await written.arrayBuffer()),
    timeoutMs: DRAWING_MS,
  })
  const value = jsonIn(await response.text())
  if (!response.ok) throw chatProblem(context, label, { status: response.status, headers: response.headers, value })
  return picturesIn(label, value)
}

const fileOf = ({ mediaType, data }: Media) =>
  new File([new Uint8Array(base64Bytes(data))], `picture.${mediaType.split('/')[1] ?? 'png'}`, { type: mediaType })

/** First characters of each image format in base64. */
const beginnings: Readonly<Record<string, string>> = { iVBORw0KGgo: 'image/png', '/9j/': 'image/jpeg', UklGR: 'image/webp' }

function picturesIn(label: string, value: unknown): Drawn {
  const images = rows(isRow(value) ? value.data : undefined).flatMap(({ b64_json: written }): Media[] => {
    const data = text(written) ?? ''
    const mediaType = Object.entries(beginnings).find(([beginning]) => data.startsWith(beginning))?.[1]
    return mediaType === undefined ? [] : [{ mediaType, data }]
  })
  if (images.length === 0) throw unreadable(label, 'no picture')
  const usage = isRow(value) && isRow(value.usage) ? usageIn(value.usage) : {}
  return { images, usage: { ...usage, images: images.length } }
}

/** Turns a text into speech; the response is the audio itself. */
export async function speakText(context: AdapterContext, server: ChatServer, speaking: Speaking): Promise<Spoken> {
  const { label, root, headers } = server
  const { model, text: input, voice, manner, format, speed } = speaking
  const json = {
    model,
    input,
    voice,
    response_format: format,
    ...(manner && { instructions: manner }),
    ...(speed !== undefined && { speed }),
  }
  const answer = await ask(context, label, `${root}/audio/speech`, { method: 'POST', headers, json, timeoutMs: DRAWING_MS })
  if (!answer.ok) throw chatProblem(context, label, answer)
  const mediaType = answer.headers.get('content-type')?.split(';')[0]?.trim() ?? ''
  if (!mediaType.startsWith('audio/')) throw unreadable(label, 'no sound')
  return { sound: { mediaType, data: toBase64(answer.bytes) }, usage: { characters: input.length } }
}
