import { useCallback, useEffect, useRef } from 'preact/hooks'
import { refreshMe } from './queries.ts'

/** Change that the server tells of: something of this topic. A null id stands for several things. */
interface Hint {
  readonly topic: string
  readonly id: string | null
}

/** Milliseconds between two calls back in a browser that cannot share the stream of hints. */
const POLL_MS = 15_000
/** Milliseconds between two calls back beside the stream, which may have lost a hint. */
const SAFETY_MS = 60_000
/** Fewest milliseconds between two calls back, however many changes there are. */
const PAUSE_MS = 1_000
/** Fewest milliseconds before a refused stream is opened again. As much again is left to chance, so that tabs do not come at once. */
const REOPEN_MS = 10_000

interface Changes {
  readonly topics: readonly string[]
  /** Id of the only thing whose changes count. */
  readonly id?: string
  /** Topics that count whatever the id of what changed. */
  readonly related?: readonly string[]
  readonly onChange: () => void
}

/**
 * Calls back when something of these topics may have changed in a store: at most once a second, only while the page is visible, and when
 * it becomes visible again. Returns a function that asks for such a call, as after a change of one's own.
 */
export function useStoreChanges(storeId: string, changes: Changes): () => void {
  const current = useRef(changes)
  current.current = changes
  const ask = useRef(() => {})
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = 0
    const look = () => {
      clearTimeout(timer)
      timer = undefined
      if (document.visibilityState !== 'visible') return
      last = Date.now()
      current.current.onChange()
    }
    const lookSoon = () => {
      timer ??= setTimeout(look, Math.max(0, last + PAUSE_MS - Date.now()))
    }
    ask.current = lookSoon
    const close = openChanges(storeId, (hint) => concerns(hint, current.current) && lookSoon())
    const poll = setInterval(look, canShareStream() ? SAFETY_MS : POLL_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      close()
      clearInterval(poll)
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [storeId])
  return useCallback(() => ask.current(), [])
}

const concerns = (hint: Hint, { topics, id, related = [] }: Changes) =>
  hint.topic === '*' ||
  related.includes(hint.topic) ||
  (topics.includes(hint.topic) && (id === undefined || hint.id === null || hint.id === id))

const canShareStream = () => 'locks' in navigator && 'BroadcastChannel' in globalThis

/** Hears of changes in a store. One tab of the browser holds the stream of the server, and tells the others. */
function openChanges(storeId: string, tell: (hint: Hint) => void): () => void {
  if (!canShareStream()) return () => {}
  const name = `serai.live.${storeId}`
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => tell(data as Hint)
  const stop = new AbortController()
  const spread = (hint: Hint) => {
    tell(hint)
    channel.postMessage(hint)
  }
  navigator.locks.request(name, { signal: stop.signal }, () => holdStream(storeId, spread, stop.signal)).catch(() => {})
  return () => {
    stop.abort()
    channel.close()
  }
}

/** Holds the stream of a store until `signal` is aborted. Its start may follow lost changes. */
function holdStream(storeId: string, tell: (hint: Hint) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    let timer: ReturnType<typeof setTimeout> | undefined
    let source = open()
    function open(): EventSource {
      const opened = new EventSource(`/v1/stores/${storeId}/live`)
      opened.addEventListener('ready', () => tell({ topic: '*', id: null }))
      opened.addEventListener('hint', ({ data }) => tell(JSON.parse(data) as Hint))
      opened.addEventListener('closed', ({ data }) => refreshAccess(JSON.parse(data) as Closing))
      // The browser opens a stream that ended by itself, and gives up after any status but 200.
      opened.addEventListener('error', () => {
        if (opened.readyState === EventSource.CLOSED) timer = setTimeout(reopen, REOPEN_MS * (1 + Math.random()))
      })
      return opened
    }
    function reopen(): void {
      source = open()
    }
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      source.close()
      resolve()
    })
  })
}

interface Closing {
  readonly reason: string
}

/** Reads anew who is signed in, when the server closed the stream because rights have changed. */
function refreshAccess({ reason }: Closing): void {
  if (reason === 'access_changed') void refreshMe()
}
