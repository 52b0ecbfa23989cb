/** The specs with limits in milliseconds: they run alone, one after another. For the runner and for Playwright. */
export const timedSpecs = /(?:^|\/)(?:checkpoints|handover|training|typing|worker)\.spec\.ts$/;
