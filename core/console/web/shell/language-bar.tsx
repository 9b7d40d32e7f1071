import { language, languageNames, languages, loadWords } from '../words/words.ts'

/** Row of the languages, for pages without an account menu. */
export const LanguageBar = () => (
  <p class="language-bar">
    {languages.map((each) => (
      <button
        type="button"
        key={each}
        lang={each}
        class="button quiet"
        aria-pressed={language.value === each}
        onClick={() => void loadWords(each, true)}
      >
        {languageNames[each]}
      </button>
    ))}
  </p>
)
