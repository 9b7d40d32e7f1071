import { useEffect } from 'preact/hooks'
import { hasChosenLanguage, language, loadWords } from '../words/words.ts'
import type { Me } from './me.ts'

/** Shows the console in the language of the signed-in user, unless another one was chosen in this browser. */
export function useUserLanguage(me: Me | null | undefined): void {
  const wanted = me?.user.language ?? null
  useEffect(() => {
    if (wanted !== null && wanted !== language.peek() && !hasChosenLanguage()) void loadWords(wanted)
  }, [wanted])
}
