"use strict";
(function (s) {
  s.compare = { start() {}, leave() {} };
})(window.senseshift);
