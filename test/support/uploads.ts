import sharp from 'sharp'
import type { Answer, TestApp } from './app.ts'

/** A picture of one colour with a gradient in it; with where it was taken, as cameras write it. */
export const jpegOf = (width: number, height: number, orientation = 1) =>
  sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
    .withExif({ IFD0: { Make: 'Secret Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '36/1 45/1 0/1' } })
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer()

export const pngOf = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#aa000080' } })
    .png()
    .toBuffer()

/** A form with one file, and what else is in it, as it goes over the wire. */
export async function formOf(bytes: Uint8Array | string, name: string, form = new FormData()): Promise<{ raw: Uint8Array; type: string }> {
  form.append('file', new File([bytes as Uint8Array<ArrayBuffer>], name))
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  return { raw: await encoded.bytes(), type }
}

interface How {
  readonly name?: string
  readonly query?: string
  readonly headers?: Record<string, string>
  readonly form?: FormData
}

/** Uploads a file as a browser does. */
export async function upload(
  { call }: Pick<TestApp, 'call'>,
  as: string | undefined,
  bytes: Uint8Array | string,
  { name = 'picture.jpg', query = '', headers = {}, form }: How = {},
): Promise<Answer> {
  const { raw, type } = await formOf(bytes, name, form)
  return call('POST', `/v1/files${query}`, { ...(as && { as }), raw, headers: { 'content-type': type, ...headers } })
}
