import { inParallel } from '../../support/storefront.ts'
import { answerWith } from '../child.ts'

export interface Sending {
  readonly urls: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly count: number
  readonly width: number
}

/** Nothing but the requests: no queue, no signature, nothing kept. */
answerWith<Sending>(async ({ urls, headers, body, count, width }) => {
  const numbers = Array.from({ length: count }, (_, at) => at)
  await inParallel(numbers, width, async (at) => {
    const answer = await fetch(urls[at % urls.length]!, { method: 'POST', headers, body })
    await answer.arrayBuffer()
  })
})
